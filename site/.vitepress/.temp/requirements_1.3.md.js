import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 1.3","description":"","frontmatter":{"title":"Requirement 1.3","prev":false,"next":false},"headers":[],"relativePath":"requirements/1.3.md","filePath":"site/pages/requirements/1.3.md"}');
const _sfc_main = { name: "requirements/1.3.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-13" tabindex="-1">Requirement 1.3 <a class="header-anchor" href="#requirement-13" aria-label="Permalink to &quot;Requirement 1.3&quot;">​</a></h1><blockquote><p>A receiver SHOULD accept a valid delivery whose content type is missing or unusual.</p></blockquote><p>SHOULD · Source: Convention: the signature covers the bytes, not the declared content type</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/transport/content-type-missing"><code>content-type-missing</code></a></td><td>A real payment is refused, because the body parser ignores its content type and leaves the body empty.</td></tr><tr><td><a href="/hookproof/cases/transport/content-type-text"><code>content-type-text</code></a></td><td>A real payment is refused, because the body parser ignores its content type and leaves the body empty.</td></tr><tr><td><a href="/hookproof/cases/transport/content-type-form"><code>content-type-form</code></a></td><td>A real payment is refused, because the body parser ignores its content type and leaves the body empty.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/1.3.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _1_3 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _1_3 as default
};
