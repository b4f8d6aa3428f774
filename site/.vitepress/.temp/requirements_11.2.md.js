import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 11.2","description":"","frontmatter":{"title":"Requirement 11.2","prev":false,"next":false},"headers":[],"relativePath":"requirements/11.2.md","filePath":"site/pages/requirements/11.2.md"}');
const _sfc_main = { name: "requirements/11.2.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-112" tabindex="-1">Requirement 11.2 <a class="header-anchor" href="#requirement-112" aria-label="Permalink to &quot;Requirement 11.2&quot;">​</a></h1><blockquote><p>A response MUST NOT contain the expected signature.</p></blockquote><p>MUST · Source: Convention: anyone could use it to sign their own body</p><p><strong>Prevents:</strong> anyone can get a signature for a body of their own.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/disclosure/no-expected-signature-in-a-refusal"><code>no-expected-signature-in-a-refusal</code></a></td><td>An attacker can learn how to sign a forged body.</td></tr><tr><td><a href="/hookproof/cases/disclosure/no-expected-signature-in-any-response"><code>no-expected-signature-in-any-response</code></a></td><td>An attacker can learn how to sign a forged body.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/11.2.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _11_2 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _11_2 as default
};
