import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 2.8","description":"","frontmatter":{"title":"Requirement 2.8","prev":false,"next":false},"headers":[],"relativePath":"requirements/2.8.md","filePath":"site/pages/requirements/2.8.md"}');
const _sfc_main = { name: "requirements/2.8.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-28" tabindex="-1">Requirement 2.8 <a class="header-anchor" href="#requirement-28" aria-label="Permalink to &quot;Requirement 2.8&quot;">​</a></h1><blockquote><p>A receiver MUST refuse a delivery whose valid signature is under a label other than <code>v1</code>, with status 400.</p></blockquote><p>MUST · Source: Interface 9</p><p><strong>Prevents:</strong> a signature of another, weaker scheme counts as v1.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/signature-header/valid-signature-under-v0"><code>valid-signature-under-v0</code></a></td><td>A signature of another scheme counts as v1. Only the holder of the secret can sign such a delivery, so nobody else can use this.</td></tr><tr><td><a href="/hookproof/cases/signature-header/valid-signature-under-v11"><code>valid-signature-under-v11</code></a></td><td>A signature of a later scheme counts as v1, because only the start of the label is compared. Only the holder of the secret can sign such a delivery, so nobody else can use this.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/2.8.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _2_8 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _2_8 as default
};
