import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 8.21","description":"","frontmatter":{"title":"Requirement 8.21","prev":false,"next":false},"headers":[],"relativePath":"requirements/8.21.md","filePath":"site/pages/requirements/8.21.md"}');
const _sfc_main = { name: "requirements/8.21.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-821" tabindex="-1">Requirement 8.21 <a class="header-anchor" href="#requirement-821" aria-label="Permalink to &quot;Requirement 8.21&quot;">​</a></h1><blockquote><p>A receiver MUST take the event, the id, the amount and all other fields from the signed body, not from the query or a header.</p></blockquote><p>MUST · Source: Interface 5.3, rule 3: the signature covers <code>t</code> and the body. To protect itself, a receiver may refuse a delivery with a query or a header that it does not know</p><p><strong>Prevents:</strong> anyone who has seen one delivery uses it for another payment or another amount.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/events/query-with-another-amount"><code>query-with-another-amount</code></a></td><td>Anyone who has seen one delivery can send it again for another payment, another event or another amount.</td></tr><tr><td><a href="/hookproof/cases/events/query-with-another-payment"><code>query-with-another-payment</code></a></td><td>Anyone who has seen one delivery can send it again for another payment, another event or another amount.</td></tr><tr><td><a href="/hookproof/cases/events/query-with-a-completion"><code>query-with-a-completion</code></a></td><td>Anyone who has seen one delivery can send it again for another payment, another event or another amount.</td></tr><tr><td><a href="/hookproof/cases/events/headers-with-another-amount"><code>headers-with-another-amount</code></a></td><td>Anyone who has seen one delivery can send it again for another payment, another event or another amount.</td></tr><tr><td><a href="/hookproof/cases/events/headers-with-another-payment"><code>headers-with-another-payment</code></a></td><td>Anyone who has seen one delivery can send it again for another payment, another event or another amount.</td></tr><tr><td><a href="/hookproof/cases/events/headers-with-a-completion"><code>headers-with-a-completion</code></a></td><td>Anyone who has seen one delivery can send it again for another payment, another event or another amount.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/8.21.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _8_21 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _8_21 as default
};
