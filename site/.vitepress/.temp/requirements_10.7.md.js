import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 10.7","description":"","frontmatter":{"title":"Requirement 10.7","prev":false,"next":false},"headers":[],"relativePath":"requirements/10.7.md","filePath":"site/pages/requirements/10.7.md"}');
const _sfc_main = { name: "requirements/10.7.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-107" tabindex="-1">Requirement 10.7 <a class="header-anchor" href="#requirement-107" aria-label="Permalink to &quot;Requirement 10.7&quot;">​</a></h1><blockquote><p>A receiver MUST remain able to accept deliveries after deeply nested JSON, regardless of how it answers that one.</p></blockquote><p>MUST · Source: Convention; the suite sends 10,000 levels, signed and forged</p><p><strong>Prevents:</strong> anyone stops all payments with nested JSON.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/robustness/nested-deeply"><code>nested-deeply</code></a></td><td>One request with deeply nested JSON, which anyone can send, takes the receiver down.</td></tr><tr><td><a href="/hookproof/cases/robustness/nested-deeply-and-forged"><code>nested-deeply-and-forged</code></a></td><td>One request with deeply nested JSON, which anyone can send, takes the receiver down.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/10.7.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _10_7 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _10_7 as default
};
