import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 2.19","description":"","frontmatter":{"title":"Requirement 2.19","prev":false,"next":false},"headers":[],"relativePath":"requirements/2.19.md","filePath":"site/pages/requirements/2.19.md"}');
const _sfc_main = { name: "requirements/2.19.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-219" tabindex="-1">Requirement 2.19 <a class="header-anchor" href="#requirement-219" aria-label="Permalink to &quot;Requirement 2.19&quot;">​</a></h1><blockquote><p>A receiver MAY accept a stale <code>t</code> beside the fresh one that is signed, or refuse it with status 400 or 401.</p></blockquote><p>MAY · Source: Convention: the service sends one <code>t</code></p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/signature-header/t-twice-fresh-one-signed-first"><code>t-twice-fresh-one-signed-first</code></a></td><td>The sender sees a server error and keeps retrying the delivery.</td></tr><tr><td><a href="/hookproof/cases/signature-header/t-twice-fresh-one-signed-last"><code>t-twice-fresh-one-signed-last</code></a></td><td>The sender sees a server error and keeps retrying the delivery.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/2.19.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _2_19 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _2_19 as default
};
