import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 2.15","description":"","frontmatter":{"title":"Requirement 2.15","prev":false,"next":false},"headers":[],"relativePath":"requirements/2.15.md","filePath":"site/pages/requirements/2.15.md"}');
const _sfc_main = { name: "requirements/2.15.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-215" tabindex="-1">Requirement 2.15 <a class="header-anchor" href="#requirement-215" aria-label="Permalink to &quot;Requirement 2.15&quot;">​</a></h1><blockquote><p>A receiver MAY accept two signature headers of which one is valid, or refuse them with status 400 or 401.</p></blockquote><p>MAY · Source: Convention: the service sends one</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/signature-header/two-header-lines-one-valid"><code>two-header-lines-one-valid</code></a></td><td>The sender sees a server error and keeps retrying the delivery.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/2.15.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _2_15 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _2_15 as default
};
