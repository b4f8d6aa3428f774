import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 5.8","description":"","frontmatter":{"title":"Requirement 5.8","prev":false,"next":false},"headers":[],"relativePath":"requirements/5.8.md","filePath":"site/pages/requirements/5.8.md"}');
const _sfc_main = { name: "requirements/5.8.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-58" tabindex="-1">Requirement 5.8 <a class="header-anchor" href="#requirement-58" aria-label="Permalink to &quot;Requirement 5.8&quot;">​</a></h1><blockquote><p>A receiver MUST compare signatures in constant time.</p></blockquote><p>MUST · Source: Interface 5.3, rule 4</p><p><strong>Prevents:</strong> an attacker learns a valid signature from response times.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><p>None: over a network, the timing difference is far smaller than the noise.</p><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/5.8.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _5_8 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _5_8 as default
};
