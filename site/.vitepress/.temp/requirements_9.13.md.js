import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 9.13","description":"","frontmatter":{"title":"Requirement 9.13","prev":false,"next":false},"headers":[],"relativePath":"requirements/9.13.md","filePath":"site/pages/requirements/9.13.md"}');
const _sfc_main = { name: "requirements/9.13.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-913" tabindex="-1">Requirement 9.13 <a class="header-anchor" href="#requirement-913" aria-label="Permalink to &quot;Requirement 9.13&quot;">​</a></h1><blockquote><p>A receiver MUST credit exactly the amount of the event, whatever its size and its number of decimals.</p></blockquote><p>MUST · Source: Interface 2.2: amounts are decimal strings in any currency</p><p><strong>Prevents:</strong> a customer is credited with another amount than was paid.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/effects/amounts-without-decimals"><code>amounts-without-decimals</code></a></td><td>A payment in a currency without cents is credited with a hundredth or a hundred times the amount.</td></tr><tr><td><a href="/hookproof/cases/effects/amounts-with-three-or-four-decimals"><code>amounts-with-three-or-four-decimals</code></a></td><td>A payment is credited with another amount than was paid.</td></tr><tr><td><a href="/hookproof/cases/effects/amounts-with-eight-decimals"><code>amounts-with-eight-decimals</code></a></td><td>A payment is credited with another amount than was paid.</td></tr><tr><td><a href="/hookproof/cases/effects/amounts-inexact-in-floating-point"><code>amounts-inexact-in-floating-point</code></a></td><td>A payment is credited with another amount than was paid.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/9.13.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _9_13 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _9_13 as default
};
