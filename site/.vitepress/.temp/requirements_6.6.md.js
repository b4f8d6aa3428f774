import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 6.6","description":"","frontmatter":{"title":"Requirement 6.6","prev":false,"next":false},"headers":[],"relativePath":"requirements/6.6.md","filePath":"site/pages/requirements/6.6.md"}');
const _sfc_main = { name: "requirements/6.6.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-66" tabindex="-1">Requirement 6.6 <a class="header-anchor" href="#requirement-66" aria-label="Permalink to &quot;Requirement 6.6&quot;">​</a></h1><blockquote><p>A receiver SHOULD acknowledge before it does any business work.</p></blockquote><p>SHOULD · Source: Interface 4.8</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><p>None: a response that follows quick work looks like one that precedes it.</p><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/6.6.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _6_6 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _6_6 as default
};
