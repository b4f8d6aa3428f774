import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 2.10","description":"","frontmatter":{"title":"Requirement 2.10","prev":false,"next":false},"headers":[],"relativePath":"requirements/2.10.md","filePath":"site/pages/requirements/2.10.md"}');
const _sfc_main = { name: "requirements/2.10.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-210" tabindex="-1">Requirement 2.10 <a class="header-anchor" href="#requirement-210" aria-label="Permalink to &quot;Requirement 2.10&quot;">​</a></h1><blockquote><p>A receiver MUST refuse a delivery whose <code>v1</code> is not the 64 hexadecimal digits of the expected signature, with status 400 or 401.</p></blockquote><p>MUST · Source: Interface 5.3, rule 3; whether this counts as malformed or as wrong is open</p><p><strong>Prevents:</strong> an attacker forges a payment with a short or damaged signature.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/signature-header/v1-truncated"><code>v1-truncated</code></a></td><td>An attacker can forge a delivery, because a signature that is only partly correct is accepted.</td></tr><tr><td><a href="/hookproof/cases/signature-header/v1-of-one-digit"><code>v1-of-one-digit</code></a></td><td>An attacker can forge a delivery, because a signature that is only partly correct is accepted.</td></tr><tr><td><a href="/hookproof/cases/signature-header/v1-too-long"><code>v1-too-long</code></a></td><td>A signature counts in a form that the service does not send. Only the holder of the secret can sign such a delivery, so nobody else can use this.</td></tr><tr><td><a href="/hookproof/cases/signature-header/v1-not-hexadecimal"><code>v1-not-hexadecimal</code></a></td><td>An attacker can shorten the signature, because some decoders stop at the first invalid character.</td></tr><tr><td><a href="/hookproof/cases/signature-header/v1-in-base64"><code>v1-in-base64</code></a></td><td>A signature counts in a form that the service does not send. Only the holder of the secret can sign such a delivery, so nobody else can use this.</td></tr><tr><td><a href="/hookproof/cases/signature-header/v1-with-one-digit-wrong"><code>v1-with-one-digit-wrong</code></a></td><td>An attacker can forge a delivery, because a signature that is only partly correct is accepted.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/2.10.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _2_10 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _2_10 as default
};
