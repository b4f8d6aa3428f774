import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 8.8","description":"","frontmatter":{"title":"Requirement 8.8","prev":false,"next":false},"headers":[],"relativePath":"requirements/8.8.md","filePath":"site/pages/requirements/8.8.md"}');
const _sfc_main = { name: "requirements/8.8.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-88" tabindex="-1">Requirement 8.8 <a class="header-anchor" href="#requirement-88" aria-label="Permalink to &quot;Requirement 8.8&quot;">​</a></h1><blockquote><p>A receiver SHOULD accept a simulated event without an <code>event</code> field, and derive the event from <code>status</code>.</p></blockquote><p>SHOULD · Source: Interface 6, rule 2 does not list <code>event</code>; Interface 2.2 does</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/events/simulated-without-event"><code>simulated-without-event</code></a></td><td>The buttons of the test checkout may not work.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/8.8.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _8_8 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _8_8 as default
};
