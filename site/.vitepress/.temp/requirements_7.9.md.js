import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 7.9","description":"","frontmatter":{"title":"Requirement 7.9","prev":false,"next":false},"headers":[],"relativePath":"requirements/7.9.md","filePath":"site/pages/requirements/7.9.md"}');
const _sfc_main = { name: "requirements/7.9.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-79" tabindex="-1">Requirement 7.9 <a class="header-anchor" href="#requirement-79" aria-label="Permalink to &quot;Requirement 7.9&quot;">​</a></h1><blockquote><p>A receiver SHOULD distinguish payments whose ids differ only in the case of a letter.</p></blockquote><p>SHOULD · Source: Convention: payment ids are case-sensitive, but the service is unlikely to assign two that differ only in this</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/duplicates/payment-ids-that-differ-in-case"><code>payment-ids-that-differ-in-case</code></a></td><td>A second customer pays and gets nothing, if the service ever assigns two such ids.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/7.9.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _7_9 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _7_9 as default
};
