import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 5.2","description":"","frontmatter":{"title":"Requirement 5.2","prev":false,"next":false},"headers":[],"relativePath":"requirements/5.2.md","filePath":"site/pages/requirements/5.2.md"}');
const _sfc_main = { name: "requirements/5.2.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-52" tabindex="-1">Requirement 5.2 <a class="header-anchor" href="#requirement-52" aria-label="Permalink to &quot;Requirement 5.2&quot;">​</a></h1><blockquote><p>A receiver MUST refuse a delivery signed with an empty key, with status 401.</p></blockquote><p>MUST · Source: Interface 5.3, rule 1: a missing secret is not an empty secret</p><p><strong>Prevents:</strong> anyone forges a payment while the secret is not configured.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/refusals/empty-key"><code>empty-key</code></a></td><td>Anyone can forge a delivery by signing with an empty key when the secret is not configured.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/5.2.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _5_2 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _5_2 as default
};
