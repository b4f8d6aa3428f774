import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 2.3","description":"","frontmatter":{"title":"Requirement 2.3","prev":false,"next":false},"headers":[],"relativePath":"requirements/2.3.md","filePath":"site/pages/requirements/2.3.md"}');
const _sfc_main = { name: "requirements/2.3.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-23" tabindex="-1">Requirement 2.3 <a class="header-anchor" href="#requirement-23" aria-label="Permalink to &quot;Requirement 2.3&quot;">​</a></h1><blockquote><p>A receiver MUST refuse a delivery whose signature header has no <code>t</code> entry or an empty one, with status 400, or with 401 if it is empty.</p></blockquote><p>MUST · Source: Interface 5.3, rule 6; whether an empty entry counts as missing or as wrong is open, so both statuses are right</p><p><strong>Prevents:</strong> a delivery is accepted at any age, because it has no time.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/signature-header/t-missing"><code>t-missing</code></a></td><td>Anyone on the internet can report a payment that was never made, without a signature.</td></tr><tr><td><a href="/hookproof/cases/signature-header/t-missing-and-not-signed"><code>t-missing-and-not-signed</code></a></td><td>A delivery without a time is accepted at any age. Only the holder of the secret can sign such a delivery, so nobody else can use this.</td></tr><tr><td><a href="/hookproof/cases/signature-header/t-empty"><code>t-empty</code></a></td><td>The window is not checked, because an empty <code>t</code> becomes 0 or NaN in some languages. Only the holder of the secret can sign such a delivery, so nobody else can use this.</td></tr><tr><td><a href="/hookproof/cases/signature-header/only-other-labels"><code>only-other-labels</code></a></td><td>The receiver takes entries by their position, so an entry that the service adds is read as another. Only the holder of the secret can sign such a delivery, so nobody else can use this.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/2.3.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _2_3 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _2_3 as default
};
