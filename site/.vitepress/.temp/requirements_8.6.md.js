import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 8.6","description":"","frontmatter":{"title":"Requirement 8.6","prev":false,"next":false},"headers":[],"relativePath":"requirements/8.6.md","filePath":"site/pages/requirements/8.6.md"}');
const _sfc_main = { name: "requirements/8.6.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-86" tabindex="-1">Requirement 8.6 <a class="header-anchor" href="#requirement-86" aria-label="Permalink to &quot;Requirement 8.6&quot;">​</a></h1><blockquote><p>A receiver MUST accept events with and without the fields that only some events have.</p></blockquote><p>MUST · Source: Interface 2.2</p><p><strong>Prevents:</strong> a short or mixed payment is refused.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/events/short-payment"><code>short-payment</code></a></td><td>Real payments are refused because they have a field that the test data lacked, or lack one that it had.</td></tr><tr><td><a href="/hookproof/cases/events/mixed-checkout"><code>mixed-checkout</code></a></td><td>Real payments are refused because they have a field that the test data lacked, or lack one that it had.</td></tr><tr><td><a href="/hookproof/cases/events/empty-metadata"><code>empty-metadata</code></a></td><td>Real payments are refused because they have a field that the test data lacked, or lack one that it had.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/8.6.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _8_6 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _8_6 as default
};
