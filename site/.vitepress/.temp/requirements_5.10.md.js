import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 5.10","description":"","frontmatter":{"title":"Requirement 5.10","prev":false,"next":false},"headers":[],"relativePath":"requirements/5.10.md","filePath":"site/pages/requirements/5.10.md"}');
const _sfc_main = { name: "requirements/5.10.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-510" tabindex="-1">Requirement 5.10 <a class="header-anchor" href="#requirement-510" aria-label="Permalink to &quot;Requirement 5.10&quot;">​</a></h1><blockquote><p>A receiver MUST refuse a signature made with any other form of the signing secret, such as its uppercase or its hash, with status 401.</p></blockquote><p>MUST · Source: Interface 5.3, rule 1; that the key is the secret&#39;s UTF-8 bytes is a convention</p><p><strong>Prevents:</strong> another text than the secret is enough to forge a payment.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/refusals/secret-in-another-form"><code>secret-in-another-form</code></a></td><td>The receiver derives its key differently from the service. Only the holder of the secret can sign such a delivery, so nobody else can use this.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/5.10.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _5_10 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _5_10 as default
};
