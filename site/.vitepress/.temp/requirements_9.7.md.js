import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 9.7","description":"","frontmatter":{"title":"Requirement 9.7","prev":false,"next":false},"headers":[],"relativePath":"requirements/9.7.md","filePath":"site/pages/requirements/9.7.md"}');
const _sfc_main = { name: "requirements/9.7.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-97" tabindex="-1">Requirement 9.7 <a class="header-anchor" href="#requirement-97" aria-label="Permalink to &quot;Requirement 9.7&quot;">​</a></h1><blockquote><p>A receiver MUST reverse a fulfilled payment after a refund or a chargeback, once for all deliveries of that event.</p></blockquote><p>MUST · Source: Interface 6</p><p><strong>Prevents:</strong> a customer keeps both the goods and the money.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/effects/refund-reverses"><code>refund-reverses</code></a></td><td>The customer keeps the goods and gets the money back.</td></tr><tr><td><a href="/hookproof/cases/effects/chargeback-reverses"><code>chargeback-reverses</code></a></td><td>The customer keeps the goods and gets the money back.</td></tr><tr><td><a href="/hookproof/cases/effects/refund-reverses-every-method"><code>refund-reverses-every-method</code></a></td><td>The customer keeps the goods and gets the money back.</td></tr><tr><td><a href="/hookproof/cases/effects/refund-of-a-short-payment"><code>refund-of-a-short-payment</code></a></td><td>The customer keeps the goods and gets the money back.</td></tr><tr><td><a href="/hookproof/cases/effects/refund-of-a-mixed-checkout"><code>refund-of-a-mixed-checkout</code></a></td><td>The customer keeps the goods and gets the money back.</td></tr><tr><td><a href="/hookproof/cases/effects/refund-delivered-twice-at-once"><code>refund-delivered-twice-at-once</code></a></td><td>The merchant takes back the same payment twice.</td></tr><tr><td><a href="/hookproof/cases/effects/refund-resent-long-after"><code>refund-resent-long-after</code></a></td><td>The merchant takes back the same payment twice.</td></tr><tr><td><a href="/hookproof/cases/effects/refund-after-a-thousand-payments"><code>refund-after-a-thousand-payments</code></a></td><td>The customer keeps the goods and gets the money back.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/9.7.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _9_7 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _9_7 as default
};
