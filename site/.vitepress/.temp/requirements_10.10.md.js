import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 10.10","description":"","frontmatter":{"title":"Requirement 10.10","prev":false,"next":false},"headers":[],"relativePath":"requirements/10.10.md","filePath":"site/pages/requirements/10.10.md"}');
const _sfc_main = { name: "requirements/10.10.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-1010" tabindex="-1">Requirement 10.10 <a class="header-anchor" href="#requirement-1010" aria-label="Permalink to &quot;Requirement 10.10&quot;">​</a></h1><blockquote><p>A receiver SHOULD refuse a validly signed body that is not JSON, with status 400, 415 or 422.</p></blockquote><p>SHOULD · Source: Convention: the sender&#39;s log then shows that something is wrong</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/robustness/not-json-is-refused"><code>not-json-is-refused</code></a></td><td>Nobody notices that the service sends something that the receiver cannot use.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/10.10.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _10_10 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _10_10 as default
};
