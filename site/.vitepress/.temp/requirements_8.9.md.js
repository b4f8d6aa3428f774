import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 8.9","description":"","frontmatter":{"title":"Requirement 8.9","prev":false,"next":false},"headers":[],"relativePath":"requirements/8.9.md","filePath":"site/pages/requirements/8.9.md"}');
const _sfc_main = { name: "requirements/8.9.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-89" tabindex="-1">Requirement 8.9 <a class="header-anchor" href="#requirement-89" aria-label="Permalink to &quot;Requirement 8.9&quot;">​</a></h1><blockquote><p>A receiver MUST accept an event without <code>livemode</code>.</p></blockquote><p>MUST · Source: Interface 2.2, rule 4</p><p><strong>Prevents:</strong> a payment is refused because a field that it may omit is missing.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/events/without-livemode"><code>without-livemode</code></a></td><td>Real payments are refused because they have a field that the test data lacked, or lack one that it had.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/8.9.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _8_9 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _8_9 as default
};
