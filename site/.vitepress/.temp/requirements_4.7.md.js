import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 4.7","description":"","frontmatter":{"title":"Requirement 4.7","prev":false,"next":false},"headers":[],"relativePath":"requirements/4.7.md","filePath":"site/pages/requirements/4.7.md"}');
const _sfc_main = { name: "requirements/4.7.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-47" tabindex="-1">Requirement 4.7 <a class="header-anchor" href="#requirement-47" aria-label="Permalink to &quot;Requirement 4.7&quot;">​</a></h1><blockquote><p>A receiver SHOULD accept a valid body with 100 KiB of metadata.</p></blockquote><p>SHOULD · Source: Convention: the interface specifies no size</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/body-bytes/with-100-kib-of-metadata"><code>with-100-kib-of-metadata</code></a></td><td>Payments with a lot of metadata are refused; some body parsers have a default limit of 100 kB.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/4.7.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _4_7 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _4_7 as default
};
