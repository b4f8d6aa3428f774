import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 4.12","description":"","frontmatter":{"title":"Requirement 4.12","prev":false,"next":false},"headers":[],"relativePath":"requirements/4.12.md","filePath":"site/pages/requirements/4.12.md"}');
const _sfc_main = { name: "requirements/4.12.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-412" tabindex="-1">Requirement 4.12 <a class="header-anchor" href="#requirement-412" aria-label="Permalink to &quot;Requirement 4.12&quot;">​</a></h1><blockquote><p>A receiver MUST accept a number beyond 2^53 in an unknown field.</p></blockquote><p>MUST · Source: Convention: JSON allows it, and the interface adds fields without notice</p><p><strong>Prevents:</strong> a payment is refused because of a field that the interface does not show.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/body-bytes/number-beyond-2-53"><code>number-beyond-2-53</code></a></td><td>Payments are lost from the day the service adds a field with a large number.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/4.12.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _4_12 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _4_12 as default
};
