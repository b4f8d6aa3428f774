import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 5.20","description":"","frontmatter":{"title":"Requirement 5.20","prev":false,"next":false},"headers":[],"relativePath":"requirements/5.20.md","filePath":"site/pages/requirements/5.20.md"}');
const _sfc_main = { name: "requirements/5.20.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-520" tabindex="-1">Requirement 5.20 <a class="header-anchor" href="#requirement-520" aria-label="Permalink to &quot;Requirement 5.20&quot;">​</a></h1><blockquote><p>A receiver with two signing secrets SHOULD accept a delivery signed with either.</p></blockquote><p>SHOULD · Source: Convention: while a secret is rotated, deliveries signed with the old one and the new one arrive; the interface asks no receiver to have two</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/rotation/both-secrets-accepted"><code>both-secrets-accepted</code></a></td><td>Payments are refused while the secret is rotated.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/5.20.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _5_20 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _5_20 as default
};
