import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 6.3","description":"","frontmatter":{"title":"Requirement 6.3","prev":false,"next":false},"headers":[],"relativePath":"requirements/6.3.md","filePath":"site/pages/requirements/6.3.md"}');
const _sfc_main = { name: "requirements/6.3.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-63" tabindex="-1">Requirement 6.3 <a class="header-anchor" href="#requirement-63" aria-label="Permalink to &quot;Requirement 6.3&quot;">​</a></h1><blockquote><p>A receiver MUST acknowledge every valid delivery of a burst, each before the sender times out.</p></blockquote><p>MUST · Source: Convention: many customers may pay at the same time; the suite sends 50 deliveries</p><p><strong>Prevents:</strong> payments are lost when many customers pay at once.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/acknowledgement/burst-of-50"><code>burst-of-50</code></a></td><td>Payments are lost at peak load.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/6.3.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _6_3 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _6_3 as default
};
