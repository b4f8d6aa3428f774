import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 11.6","description":"","frontmatter":{"title":"Requirement 11.6","prev":false,"next":false},"headers":[],"relativePath":"requirements/11.6.md","filePath":"site/pages/requirements/11.6.md"}');
const _sfc_main = { name: "requirements/11.6.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-116" tabindex="-1">Requirement 11.6 <a class="header-anchor" href="#requirement-116" aria-label="Permalink to &quot;Requirement 11.6&quot;">​</a></h1><blockquote><p>A receiver SHOULD NOT write the complete signature of a valid delivery to its output.</p></blockquote><p>SHOULD · Source: Convention: with the body, it can be replayed until the window ends; the first characters are enough to find a delivery</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/output/no-signature-in-the-output"><code>no-signature-in-the-output</code></a></td><td>Anyone who reads the logs can replay the delivery while its time is inside the window.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/11.6.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _11_6 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _11_6 as default
};
