import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 9.16","description":"","frontmatter":{"title":"Requirement 9.16","prev":false,"next":false},"headers":[],"relativePath":"requirements/9.16.md","filePath":"site/pages/requirements/9.16.md"}');
const _sfc_main = { name: "requirements/9.16.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-916" tabindex="-1">Requirement 9.16 <a class="header-anchor" href="#requirement-916" aria-label="Permalink to &quot;Requirement 9.16&quot;">​</a></h1><blockquote><p>A receiver SHOULD decide by the name of the event, not by its <code>status</code>.</p></blockquote><p>SHOULD · Source: Convention: the service may add an event with a known status</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/effects/unknown-event-with-status-completed"><code>unknown-event-with-status-completed</code></a></td><td>An event that the service adds later is treated as a payment, because its status is known.</td></tr><tr><td><a href="/hookproof/cases/effects/partial-with-status-completed"><code>partial-with-status-completed</code></a></td><td>A payment is credited before it is complete, or never, because the status of another event is taken for its own.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/9.16.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _9_16 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _9_16 as default
};
