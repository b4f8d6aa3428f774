import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 6.10","description":"","frontmatter":{"title":"Requirement 6.10","prev":false,"next":false},"headers":[],"relativePath":"requirements/6.10.md","filePath":"site/pages/requirements/6.10.md"}');
const _sfc_main = { name: "requirements/6.10.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-610" tabindex="-1">Requirement 6.10 <a class="header-anchor" href="#requirement-610" aria-label="Permalink to &quot;Requirement 6.10&quot;">​</a></h1><blockquote><p>A delivery that a receiver cannot handle MUST NOT keep it from processing those that it acknowledges afterwards.</p></blockquote><p>MUST · Source: Interface 6, rule 5</p><p><strong>Prevents:</strong> one unusual event stops the payments of other customers.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/acknowledgement/payments-behind-unexpected-events"><code>payments-behind-unexpected-events</code></a></td><td>One unusual event stops the payments of other customers.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/6.10.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _6_10 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _6_10 as default
};
