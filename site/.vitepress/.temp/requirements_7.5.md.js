import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 7.5","description":"","frontmatter":{"title":"Requirement 7.5","prev":false,"next":false},"headers":[],"relativePath":"requirements/7.5.md","filePath":"site/pages/requirements/7.5.md"}');
const _sfc_main = { name: "requirements/7.5.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-75" tabindex="-1">Requirement 7.5 <a class="header-anchor" href="#requirement-75" aria-label="Permalink to &quot;Requirement 7.5&quot;">​</a></h1><blockquote><p>A receiver MUST NOT treat a refund as a redelivery of the completion that it reverses.</p></blockquote><p>MUST · Source: Interface 6: both events belong to one payment</p><p><strong>Prevents:</strong> a customer keeps both the goods and the money.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/duplicates/refund-after-completion"><code>refund-after-completion</code></a></td><td>The refund has no effect: the customer keeps both the goods and the money.</td></tr><tr><td><a href="/hookproof/cases/duplicates/chargeback-after-completion"><code>chargeback-after-completion</code></a></td><td>The refund has no effect: the customer keeps both the goods and the money.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/7.5.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _7_5 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _7_5 as default
};
