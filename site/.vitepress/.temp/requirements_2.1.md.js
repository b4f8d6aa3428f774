import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 2.1","description":"","frontmatter":{"title":"Requirement 2.1","prev":false,"next":false},"headers":[],"relativePath":"requirements/2.1.md","filePath":"site/pages/requirements/2.1.md"}');
const _sfc_main = { name: "requirements/2.1.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-21" tabindex="-1">Requirement 2.1 <a class="header-anchor" href="#requirement-21" aria-label="Permalink to &quot;Requirement 2.1&quot;">​</a></h1><blockquote><p>A receiver MUST refuse a delivery without a signature header, with status 400.</p></blockquote><p>MUST · Source: Interface 5.3, rule 6: <code>t</code> and <code>v1</code> are missing</p><p><strong>Prevents:</strong> anyone gets a payment credited with an unsigned request.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/signature-header/absent"><code>absent</code></a></td><td>Anyone on the internet can report a payment that was never made, without a signature.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/2.1.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _2_1 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _2_1 as default
};
