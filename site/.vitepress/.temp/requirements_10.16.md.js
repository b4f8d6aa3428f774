import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 10.16","description":"","frontmatter":{"title":"Requirement 10.16","prev":false,"next":false},"headers":[],"relativePath":"requirements/10.16.md","filePath":"site/pages/requirements/10.16.md"}');
const _sfc_main = { name: "requirements/10.16.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-1016" tabindex="-1">Requirement 10.16 <a class="header-anchor" href="#requirement-1016" aria-label="Permalink to &quot;Requirement 10.16&quot;">​</a></h1><blockquote><p>A receiver SHOULD accept a valid delivery while other connections hold unfinished bodies.</p></blockquote><p>SHOULD · Source: Convention: every server has a limit of connections, and a proxy can raise it; the suite holds 20</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/robustness/good-while-bodies-are-held"><code>good-while-bodies-are-held</code></a></td><td>Unless a proxy in front reads each request entirely, anyone on the internet can stop all payments with a few connections that send nothing, or with a single one.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/10.16.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _10_16 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _10_16 as default
};
