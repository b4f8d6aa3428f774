import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 3.7","description":"","frontmatter":{"title":"Requirement 3.7","prev":false,"next":false},"headers":[],"relativePath":"requirements/3.7.md","filePath":"site/pages/requirements/3.7.md"}');
const _sfc_main = { name: "requirements/3.7.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-37" tabindex="-1">Requirement 3.7 <a class="header-anchor" href="#requirement-37" aria-label="Permalink to &quot;Requirement 3.7&quot;">​</a></h1><blockquote><p>A receiver MUST refuse a delivery that is both stale and forged, with status 400 or 401.</p></blockquote><p>MUST · Source: Interface 5.3, rule 6; which check comes first is open</p><p><strong>Prevents:</strong> anyone forges a payment with a stale time.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/time-window/stale-and-forged"><code>stale-and-forged</code></a></td><td>Anyone on the internet can report a payment that was never made, by giving the forgery an old <code>t</code>.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/3.7.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _3_7 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _3_7 as default
};
