import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 7.8","description":"","frontmatter":{"title":"Requirement 7.8","prev":false,"next":false},"headers":[],"relativePath":"requirements/7.8.md","filePath":"site/pages/requirements/7.8.md"}');
const _sfc_main = { name: "requirements/7.8.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-78" tabindex="-1">Requirement 7.8 <a class="header-anchor" href="#requirement-78" aria-label="Permalink to &quot;Requirement 7.8&quot;">​</a></h1><blockquote><p>A receiver MUST distinguish different payments, however similar they are.</p></blockquote><p>MUST · Source: Interface 2.2, rule 1</p><p><strong>Prevents:</strong> a customer pays and gets nothing, because the payment resembles another one.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/duplicates/similar-payments"><code>similar-payments</code></a></td><td>A second customer pays and gets nothing.</td></tr><tr><td><a href="/hookproof/cases/duplicates/payments-with-the-same-request-id"><code>payments-with-the-same-request-id</code></a></td><td>A second customer pays and gets nothing.</td></tr><tr><td><a href="/hookproof/cases/duplicates/refund-of-one-of-two-similar-payments"><code>refund-of-one-of-two-similar-payments</code></a></td><td>A refund reverses the payment of another customer, or keeps one from being shipped.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/7.8.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _7_8 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _7_8 as default
};
