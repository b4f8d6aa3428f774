import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 6.9","description":"","frontmatter":{"title":"Requirement 6.9","prev":false,"next":false},"headers":[],"relativePath":"requirements/6.9.md","filePath":"site/pages/requirements/6.9.md"}');
const _sfc_main = { name: "requirements/6.9.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-69" tabindex="-1">Requirement 6.9 <a class="header-anchor" href="#requirement-69" aria-label="Permalink to &quot;Requirement 6.9&quot;">​</a></h1><blockquote><p>A receiver SHOULD accept a payment whose text its store cannot keep as it is.</p></blockquote><p>SHOULD · Source: Interface 2.2: metadata is returned unchanged; the suite sends U+0000, half a surrogate pair, keys with dots and dollar signs, and names of 300 characters</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/acknowledgement/nul-in-metadata-accepted"><code>nul-in-metadata-accepted</code></a></td><td>A customer has paid and gets nothing, because the merchant chose unusual metadata.</td></tr><tr><td><a href="/hookproof/cases/acknowledgement/lone-surrogate-in-metadata-accepted"><code>lone-surrogate-in-metadata-accepted</code></a></td><td>A customer has paid and gets nothing, because the merchant chose unusual metadata.</td></tr><tr><td><a href="/hookproof/cases/acknowledgement/punctuated-metadata-keys-accepted"><code>punctuated-metadata-keys-accepted</code></a></td><td>A customer has paid and gets nothing, because the merchant chose unusual metadata.</td></tr><tr><td><a href="/hookproof/cases/acknowledgement/long-payment-method-accepted"><code>long-payment-method-accepted</code></a></td><td>A customer has paid and gets nothing, because the merchant chose unusual metadata.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/6.9.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _6_9 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _6_9 as default
};
