import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 4.8","description":"","frontmatter":{"title":"Requirement 4.8","prev":false,"next":false},"headers":[],"relativePath":"requirements/4.8.md","filePath":"site/pages/requirements/4.8.md"}');
const _sfc_main = { name: "requirements/4.8.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-48" tabindex="-1">Requirement 4.8 <a class="header-anchor" href="#requirement-48" aria-label="Permalink to &quot;Requirement 4.8&quot;">​</a></h1><blockquote><p>A receiver MAY accept a valid body that begins with a byte-order mark, or refuse it with status 400, 415 or 422.</p></blockquote><p>MAY · Source: Convention: the signature is valid, and JSON parsers differ</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/body-bytes/byte-order-mark"><code>byte-order-mark</code></a></td><td>A real payment is refused as forged, because the text is decoded before it is verified.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/4.8.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _4_8 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _4_8 as default
};
