import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 2.20","description":"","frontmatter":{"title":"Requirement 2.20","prev":false,"next":false},"headers":[],"relativePath":"requirements/2.20.md","filePath":"site/pages/requirements/2.20.md"}');
const _sfc_main = { name: "requirements/2.20.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-220" tabindex="-1">Requirement 2.20 <a class="header-anchor" href="#requirement-220" aria-label="Permalink to &quot;Requirement 2.20&quot;">​</a></h1><blockquote><p>A receiver MUST refuse a delivery whose <code>t</code> or <code>v1</code> contains bytes outside ASCII, with a status from 400 to 499.</p></blockquote><p>MUST · Source: Convention: HTTP allows such a header, and anyone can send it</p><p><strong>Prevents:</strong> anyone stops all payments with one unsigned request.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/signature-header/v1-beyond-ascii"><code>v1-beyond-ascii</code></a></td><td>Anyone on the internet can make the server fail or stop with one unsigned request, because it cannot handle the bytes of the header.</td></tr><tr><td><a href="/hookproof/cases/signature-header/t-beyond-ascii"><code>t-beyond-ascii</code></a></td><td>Anyone on the internet can make the server fail or stop with one unsigned request, because it cannot handle the bytes of the header.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/2.20.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _2_20 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _2_20 as default
};
