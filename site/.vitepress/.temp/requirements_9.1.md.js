import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 9.1","description":"","frontmatter":{"title":"Requirement 9.1","prev":false,"next":false},"headers":[],"relativePath":"requirements/9.1.md","filePath":"site/pages/requirements/9.1.md"}');
const _sfc_main = { name: "requirements/9.1.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-91" tabindex="-1">Requirement 9.1 <a class="header-anchor" href="#requirement-91" aria-label="Permalink to &quot;Requirement 9.1&quot;">​</a></h1><blockquote><p>A receiver MUST fulfill a completed payment once, in the mode that the receiver serves.</p></blockquote><p>MUST · Source: Interface 6, and Interface 2.2, rule 4</p><p><strong>Prevents:</strong> a customer pays and gets nothing, or gets the goods twice.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/effects/completed-is-fulfilled"><code>completed-is-fulfilled</code></a></td><td>The customer has paid and gets nothing.</td></tr><tr><td><a href="/hookproof/cases/effects/every-method-is-fulfilled"><code>every-method-is-fulfilled</code></a></td><td>Customers who use certain payment methods get nothing.</td></tr><tr><td><a href="/hookproof/cases/effects/large-amount-to-the-last-digit"><code>large-amount-to-the-last-digit</code></a></td><td>A large payment is credited with a rounded amount.</td></tr><tr><td><a href="/hookproof/cases/effects/completion-after-failure"><code>completion-after-failure</code></a></td><td>A customer whose first card was declined and whose second card was accepted gets nothing.</td></tr><tr><td><a href="/hookproof/cases/effects/completion-after-every-failure"><code>completion-after-every-failure</code></a></td><td>A customer whose first attempt failed and whose second one was accepted gets nothing.</td></tr><tr><td><a href="/hookproof/cases/effects/simulated-and-sparse-is-fulfilled"><code>simulated-and-sparse-is-fulfilled</code></a></td><td>The payments of the test checkout get lost, so the merchant cannot try the shop.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/9.1.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _9_1 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _9_1 as default
};
