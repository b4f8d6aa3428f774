import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 1.9","description":"","frontmatter":{"title":"Requirement 1.9","prev":false,"next":false},"headers":[],"relativePath":"requirements/1.9.md","filePath":"site/pages/requirements/1.9.md"}');
const _sfc_main = { name: "requirements/1.9.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-19" tabindex="-1">Requirement 1.9 <a class="header-anchor" href="#requirement-19" aria-label="Permalink to &quot;Requirement 1.9&quot;">​</a></h1><blockquote><p>A receiver SHOULD refuse a delivery sent by a method other than POST, with a status from 400 to 499 or 501.</p></blockquote><p>SHOULD · Source: Interface 4.8 names POST; the refusal is a convention</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/transport/method-put"><code>method-put</code></a></td><td>The endpoint acts on requests with methods that the service never uses.</td></tr><tr><td><a href="/hookproof/cases/transport/method-patch"><code>method-patch</code></a></td><td>The endpoint acts on requests with methods that the service never uses.</td></tr><tr><td><a href="/hookproof/cases/transport/method-delete"><code>method-delete</code></a></td><td>The endpoint acts on requests with methods that the service never uses.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/1.9.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _1_9 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _1_9 as default
};
