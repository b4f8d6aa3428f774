import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 9.3","description":"","frontmatter":{"title":"Requirement 9.3","prev":false,"next":false},"headers":[],"relativePath":"requirements/9.3.md","filePath":"site/pages/requirements/9.3.md"}');
const _sfc_main = { name: "requirements/9.3.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-93" tabindex="-1">Requirement 9.3 <a class="header-anchor" href="#requirement-93" aria-label="Permalink to &quot;Requirement 9.3&quot;">​</a></h1><blockquote><p>A receiver MUST fulfill a mixed checkout for the payment&#39;s own <code>amount</code> and <code>currency</code>, not for those of <code>settled_via</code>.</p></blockquote><p>MUST · Source: Interface 2.2</p><p><strong>Prevents:</strong> a customer is credited in another currency.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/effects/mixed-checkout-in-own-currency"><code>mixed-checkout-in-own-currency</code></a></td><td>The merchant credits more than was paid, or in another currency.</td></tr><tr><td><a href="/hookproof/cases/effects/mixed-checkout-settled-in-the-same-currency"><code>mixed-checkout-settled-in-the-same-currency</code></a></td><td>The merchant credits more than was paid, or in another currency.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/9.3.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _9_3 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _9_3 as default
};
