import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 12.10","description":"","frontmatter":{"title":"Requirement 12.10","prev":false,"next":false},"headers":[],"relativePath":"requirements/12.10.md","filePath":"site/pages/requirements/12.10.md"}');
const _sfc_main = { name: "requirements/12.10.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-1210" tabindex="-1">Requirement 12.10 <a class="header-anchor" href="#requirement-1210" aria-label="Permalink to &quot;Requirement 12.10&quot;">​</a></h1><blockquote><p>A receiver of live payments MUST NOT fulfill a test payment as a live one.</p></blockquote><p>MUST · Source: Interface 2.2, rule 4, and Interface 2.3</p><p><strong>Prevents:</strong> a customer gets goods for a test payment, in which no money moves.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/bypass/test-payment-on-a-live-receiver"><code>test-payment-on-a-live-receiver</code></a></td><td>Anyone who reaches a test checkout gets goods without paying.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/12.10.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _12_10 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _12_10 as default
};
