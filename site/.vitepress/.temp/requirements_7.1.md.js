import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 7.1","description":"","frontmatter":{"title":"Requirement 7.1","prev":false,"next":false},"headers":[],"relativePath":"requirements/7.1.md","filePath":"site/pages/requirements/7.1.md"}');
const _sfc_main = { name: "requirements/7.1.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-71" tabindex="-1">Requirement 7.1 <a class="header-anchor" href="#requirement-71" aria-label="Permalink to &quot;Requirement 7.1&quot;">​</a></h1><blockquote><p>A receiver MUST acknowledge a redelivery with status 200.</p></blockquote><p>MUST · Source: Interface 4.8: delivery may repeat</p><p><strong>Prevents:</strong> an event that the receiver handled is never acknowledged.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/duplicates/acknowledged-again"><code>acknowledged-again</code></a></td><td>The service keeps resending the delivery, because it never gets an acknowledgment.</td></tr><tr><td><a href="/hookproof/cases/durability/redelivery-accepted-after-a-crash"><code>redelivery-accepted-after-a-crash</code></a></td><td>A payment that a crash interrupted is never completed, although the service delivers it again.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/7.1.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _7_1 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _7_1 as default
};
