import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 2.9","description":"","frontmatter":{"title":"Requirement 2.9","prev":false,"next":false},"headers":[],"relativePath":"requirements/2.9.md","filePath":"site/pages/requirements/2.9.md"}');
const _sfc_main = { name: "requirements/2.9.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-29" tabindex="-1">Requirement 2.9 <a class="header-anchor" href="#requirement-29" aria-label="Permalink to &quot;Requirement 2.9&quot;">​</a></h1><blockquote><p>A receiver MUST refuse a delivery whose <code>t</code> does not state a time, such as <code>NaN</code> or a negative number, with status 400 or 401, even if the signature covers that exact text.</p></blockquote><p>MUST · Source: Interface 5.3, rule 4: its difference from the clock is not within the window; the status is open</p><p><strong>Prevents:</strong> a delivery is accepted although its age is unknown.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/signature-header/t-not-a-number"><code>t-not-a-number</code></a></td><td>The window is not checked, because every comparison with NaN is false. Only the holder of the secret can sign such a delivery, so nobody else can use this.</td></tr><tr><td><a href="/hookproof/cases/signature-header/t-infinite"><code>t-infinite</code></a></td><td>A delivery is accepted although its age is unknown. Only the holder of the secret can sign such a delivery, so nobody else can use this.</td></tr><tr><td><a href="/hookproof/cases/signature-header/t-with-minus-sign"><code>t-with-minus-sign</code></a></td><td>A delivery is accepted although its age is unknown. Only the holder of the secret can sign such a delivery, so nobody else can use this.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/2.9.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _2_9 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _2_9 as default
};
