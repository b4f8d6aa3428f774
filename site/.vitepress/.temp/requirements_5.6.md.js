import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 5.6","description":"","frontmatter":{"title":"Requirement 5.6","prev":false,"next":false},"headers":[],"relativePath":"requirements/5.6.md","filePath":"site/pages/requirements/5.6.md"}');
const _sfc_main = { name: "requirements/5.6.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-56" tabindex="-1">Requirement 5.6 <a class="header-anchor" href="#requirement-56" aria-label="Permalink to &quot;Requirement 5.6&quot;">​</a></h1><blockquote><p>A receiver MUST refuse a signature made with a function other than HMAC-SHA256, with status 400 or 401.</p></blockquote><p>MUST · Source: Interface 5.3, rule 1; a digest of a different length may count as malformed</p><p><strong>Prevents:</strong> anyone forges a payment with a digest that needs no key or a weaker one.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/refusals/hmac-sha512"><code>hmac-sha512</code></a></td><td>A signature of a weaker function counts as v1. Only the holder of the secret can sign such a delivery, so nobody else can use this.</td></tr><tr><td><a href="/hookproof/cases/refusals/hmac-sha1"><code>hmac-sha1</code></a></td><td>A signature of a weaker function counts as v1. Only the holder of the secret can sign such a delivery, so nobody else can use this.</td></tr><tr><td><a href="/hookproof/cases/refusals/hmac-md5"><code>hmac-md5</code></a></td><td>A signature of a weaker function counts as v1. Only the holder of the secret can sign such a delivery, so nobody else can use this.</td></tr><tr><td><a href="/hookproof/cases/refusals/hmac-sha3-256"><code>hmac-sha3-256</code></a></td><td>A signature of a weaker function counts as v1. Only the holder of the secret can sign such a delivery, so nobody else can use this.</td></tr><tr><td><a href="/hookproof/cases/refusals/digest-without-key"><code>digest-without-key</code></a></td><td>Anyone can forge a delivery with a digest that needs no key.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/5.6.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _5_6 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _5_6 as default
};
