import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 2.12","description":"","frontmatter":{"title":"Requirement 2.12","prev":false,"next":false},"headers":[],"relativePath":"requirements/2.12.md","filePath":"site/pages/requirements/2.12.md"}');
const _sfc_main = { name: "requirements/2.12.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-212" tabindex="-1">Requirement 2.12 <a class="header-anchor" href="#requirement-212" aria-label="Permalink to &quot;Requirement 2.12&quot;">​</a></h1><blockquote><p>A receiver SHOULD accept a delivery with several <code>v1</code> entries when one of them is valid.</p></blockquote><p>SHOULD · Source: Convention: lets the service sign with two secrets while a secret is rotated</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/signature-header/v1-twice-valid-one-first"><code>v1-twice-valid-one-first</code></a></td><td>Deliveries are lost during secret rotation.</td></tr><tr><td><a href="/hookproof/cases/signature-header/v1-twice-valid-one-last"><code>v1-twice-valid-one-last</code></a></td><td>Deliveries are lost during secret rotation.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/2.12.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _2_12 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _2_12 as default
};
