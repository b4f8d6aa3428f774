import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 4.6","description":"","frontmatter":{"title":"Requirement 4.6","prev":false,"next":false},"headers":[],"relativePath":"requirements/4.6.md","filePath":"site/pages/requirements/4.6.md"}');
const _sfc_main = { name: "requirements/4.6.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-46" tabindex="-1">Requirement 4.6 <a class="header-anchor" href="#requirement-46" aria-label="Permalink to &quot;Requirement 4.6&quot;">​</a></h1><blockquote><p>A receiver MUST accept a valid body of up to 64 KiB.</p></blockquote><p>MUST · Source: Interface 2.2: metadata is returned unchanged, and Interface 8 limits neither it nor the body; the size is a convention</p><p><strong>Prevents:</strong> a customer pays and gets nothing, because the metadata of the payment is long.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/body-bytes/of-60-kib"><code>of-60-kib</code></a></td><td>Payments with a lot of metadata are refused.</td></tr><tr><td><a href="/hookproof/cases/body-bytes/of-60-kib-beyond-ascii"><code>of-60-kib-beyond-ascii</code></a></td><td>Large payments with names beyond ASCII are refused, because each block is decoded by itself.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/4.6.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _4_6 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _4_6 as default
};
