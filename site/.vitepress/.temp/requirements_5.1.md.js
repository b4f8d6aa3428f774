import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 5.1","description":"","frontmatter":{"title":"Requirement 5.1","prev":false,"next":false},"headers":[],"relativePath":"requirements/5.1.md","filePath":"site/pages/requirements/5.1.md"}');
const _sfc_main = { name: "requirements/5.1.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-51" tabindex="-1">Requirement 5.1 <a class="header-anchor" href="#requirement-51" aria-label="Permalink to &quot;Requirement 5.1&quot;">​</a></h1><blockquote><p>A receiver MUST refuse a delivery signed with another secret, with status 401.</p></blockquote><p>MUST · Source: Interface 5.3, rules 1 and 6</p><p><strong>Prevents:</strong> anyone forges a payment.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/refusals/another-secret"><code>another-secret</code></a></td><td>Anyone on the internet can report a payment that was never made.</td></tr><tr><td><a href="/hookproof/cases/refusals/secret-with-one-letter-changed"><code>secret-with-one-letter-changed</code></a></td><td>Anyone on the internet can report a payment that was never made.</td></tr><tr><td><a href="/hookproof/cases/refusals/secret-with-line-break"><code>secret-with-line-break</code></a></td><td>The receiver derives its key differently from the service. Only the holder of the secret can sign such a delivery, so nobody else can use this.</td></tr><tr><td><a href="/hookproof/cases/refusals/signature-of-another-delivery"><code>signature-of-another-delivery</code></a></td><td>Anyone on the internet can report a payment that was never made.</td></tr><tr><td><a href="/hookproof/cases/refusals/signature-of-zeros"><code>signature-of-zeros</code></a></td><td>Anyone on the internet can report a payment that was never made.</td></tr><tr><td><a href="/hookproof/cases/rotation/old-secret-refused-afterwards"><code>old-secret-refused-afterwards</code></a></td><td>Anyone who has the old secret can forge a payment, although it was replaced.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/5.1.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _5_1 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _5_1 as default
};
