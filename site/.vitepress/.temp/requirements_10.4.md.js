import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 10.4","description":"","frontmatter":{"title":"Requirement 10.4","prev":false,"next":false},"headers":[],"relativePath":"requirements/10.4.md","filePath":"site/pages/requirements/10.4.md"}');
const _sfc_main = { name: "requirements/10.4.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-104" tabindex="-1">Requirement 10.4 <a class="header-anchor" href="#requirement-104" aria-label="Permalink to &quot;Requirement 10.4&quot;">​</a></h1><blockquote><p>A receiver MUST accept a valid delivery that follows one whose sender stopped in the middle of the body.</p></blockquote><p>MUST · Source: Convention: connections break</p><p><strong>Prevents:</strong> a few broken connections stop all payments.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/robustness/good-after-broken-off"><code>good-after-broken-off</code></a></td><td>A few broken connections take the receiver down for everyone.</td></tr><tr><td><a href="/hookproof/cases/robustness/good-after-many-broken-off"><code>good-after-many-broken-off</code></a></td><td>A few broken connections take the receiver down for everyone.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/10.4.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _10_4 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _10_4 as default
};
