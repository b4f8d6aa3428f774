import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 12.8","description":"","frontmatter":{"title":"Requirement 12.8","prev":false,"next":false},"headers":[],"relativePath":"requirements/12.8.md","filePath":"site/pages/requirements/12.8.md"}');
const _sfc_main = { name: "requirements/12.8.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-128" tabindex="-1">Requirement 12.8 <a class="header-anchor" href="#requirement-128" aria-label="Permalink to &quot;Requirement 12.8&quot;">​</a></h1><blockquote><p>A receiver MUST NOT accept an unsigned or forged delivery because it verified another delivery before.</p></blockquote><p>MUST · Source: Interface 5.3, rules 3 and 4: the signature covers these bytes and this <code>t</code></p><p><strong>Prevents:</strong> anyone who saw one delivery forges a payment.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/bypass/signature-seen-with-another-body"><code>signature-seen-with-another-body</code></a></td><td>Anyone who saw one delivery can send any body with its signature.</td></tr><tr><td><a href="/hookproof/cases/bypass/body-seen-before"><code>body-seen-before</code></a></td><td>Anyone who saw one delivery can replay it forever.</td></tr><tr><td><a href="/hookproof/cases/bypass/payment-seen-before"><code>payment-seen-before</code></a></td><td>Anyone who knows a payment id can reverse the payment.</td></tr><tr><td><a href="/hookproof/cases/bypass/connection-verified-before"><code>connection-verified-before</code></a></td><td>Behind a proxy that shares connections, anyone can report a payment that was never made.</td></tr><tr><td><a href="/hookproof/cases/bypass/forged-refund-reverses-nothing"><code>forged-refund-reverses-nothing</code></a></td><td>Anyone who knows a payment id can reverse the payment.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/12.8.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _12_8 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _12_8 as default
};
