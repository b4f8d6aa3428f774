import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 8.4","description":"","frontmatter":{"title":"Requirement 8.4","prev":false,"next":false},"headers":[],"relativePath":"requirements/8.4.md","filePath":"site/pages/requirements/8.4.md"}');
const _sfc_main = { name: "requirements/8.4.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-84" tabindex="-1">Requirement 8.4 <a class="header-anchor" href="#requirement-84" aria-label="Permalink to &quot;Requirement 8.4&quot;">​</a></h1><blockquote><p>A receiver MUST accept unknown fields.</p></blockquote><p>MUST · Source: Interface 6, rule 4: the complete payloads of three events are not shown</p><p><strong>Prevents:</strong> a payment is refused because of a field that the interface does not show.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/events/unknown-fields"><code>unknown-fields</code></a></td><td>Deliveries are refused from the day the service adds a field.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/8.4.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _8_4 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _8_4 as default
};
