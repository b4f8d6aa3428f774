import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 6.8","description":"","frontmatter":{"title":"Requirement 6.8","prev":false,"next":false},"headers":[],"relativePath":"requirements/6.8.md","filePath":"site/pages/requirements/6.8.md"}');
const _sfc_main = { name: "requirements/6.8.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-68" tabindex="-1">Requirement 6.8 <a class="header-anchor" href="#requirement-68" aria-label="Permalink to &quot;Requirement 6.8&quot;">​</a></h1><blockquote><p>A receiver that cannot store a delivery SHOULD answer 503.</p></blockquote><p>SHOULD · Source: Convention: the sender then retries</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><p>None: the suite cannot make a store fail through the webhook endpoint.</p><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/6.8.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _6_8 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _6_8 as default
};
