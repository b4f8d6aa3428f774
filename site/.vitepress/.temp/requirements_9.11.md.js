import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 9.11","description":"","frontmatter":{"title":"Requirement 9.11","prev":false,"next":false},"headers":[],"relativePath":"requirements/9.11.md","filePath":"site/pages/requirements/9.11.md"}');
const _sfc_main = { name: "requirements/9.11.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-911" tabindex="-1">Requirement 9.11 <a class="header-anchor" href="#requirement-911" aria-label="Permalink to &quot;Requirement 9.11&quot;">​</a></h1><blockquote><p>An effect SHOULD record the <code>livemode</code> of its event, so that test and live effects are kept apart.</p></blockquote><p>SHOULD · Source: Interface 2.2, rule 4; recording it is a convention</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/effects/livemode-is-shown"><code>livemode-is-shown</code></a></td><td>The merchant cannot see whether test payments are recorded as live payments.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/9.11.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _9_11 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _9_11 as default
};
