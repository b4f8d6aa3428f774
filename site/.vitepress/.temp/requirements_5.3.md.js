import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 5.3","description":"","frontmatter":{"title":"Requirement 5.3","prev":false,"next":false},"headers":[],"relativePath":"requirements/5.3.md","filePath":"site/pages/requirements/5.3.md"}');
const _sfc_main = { name: "requirements/5.3.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-53" tabindex="-1">Requirement 5.3 <a class="header-anchor" href="#requirement-53" aria-label="Permalink to &quot;Requirement 5.3&quot;">​</a></h1><blockquote><p>A receiver MUST refuse a delivery signed with the text form of a missing value, such as <code>undefined</code> or <code>None</code>, with status 401.</p></blockquote><p>MUST · Source: Interface 5.3, rule 1</p><p><strong>Prevents:</strong> anyone forges a payment while the secret is not configured.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/refusals/key-undefined"><code>key-undefined</code></a></td><td>Anyone can forge a delivery by signing with this well-known word when the secret is not configured.</td></tr><tr><td><a href="/hookproof/cases/refusals/key-null"><code>key-null</code></a></td><td>Anyone can forge a delivery by signing with this well-known word when the secret is not configured.</td></tr><tr><td><a href="/hookproof/cases/refusals/key-none"><code>key-none</code></a></td><td>Anyone can forge a delivery by signing with this well-known word when the secret is not configured.</td></tr><tr><td><a href="/hookproof/cases/refusals/key-object"><code>key-object</code></a></td><td>Anyone can forge a delivery by signing with this well-known word when the secret is not configured.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/5.3.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _5_3 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _5_3 as default
};
