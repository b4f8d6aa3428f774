import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 7.10","description":"","frontmatter":{"title":"Requirement 7.10","prev":false,"next":false},"headers":[],"relativePath":"requirements/7.10.md","filePath":"site/pages/requirements/7.10.md"}');
const _sfc_main = { name: "requirements/7.10.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-710" tabindex="-1">Requirement 7.10 <a class="header-anchor" href="#requirement-710" aria-label="Permalink to &quot;Requirement 7.10&quot;">​</a></h1><blockquote><p>A receiver SHOULD distinguish payments whose ids are long and differ only at their end.</p></blockquote><p>SHOULD · Source: Convention: the interface states no length; a receiver may refuse an id that is too long for its store. The suite sends 75 characters</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/duplicates/long-payment-ids"><code>long-payment-ids</code></a></td><td>A second customer pays and gets nothing, if the service ever assigns longer ids.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/7.10.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _7_10 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _7_10 as default
};
