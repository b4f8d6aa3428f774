import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 3.5","description":"","frontmatter":{"title":"Requirement 3.5","prev":false,"next":false},"headers":[],"relativePath":"requirements/3.5.md","filePath":"site/pages/requirements/3.5.md"}');
const _sfc_main = { name: "requirements/3.5.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-35" tabindex="-1">Requirement 3.5 <a class="header-anchor" href="#requirement-35" aria-label="Permalink to &quot;Requirement 3.5&quot;">​</a></h1><blockquote><p>A receiver MUST read <code>t</code> in seconds and refuse a <code>t</code> in milliseconds, with status 400.</p></blockquote><p>MUST · Source: Interface 5.3, rule 3</p><p><strong>Prevents:</strong> the window does not limit the age of a delivery.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/time-window/in-milliseconds"><code>in-milliseconds</code></a></td><td>The receiver misjudges the age of every delivery, because it reads <code>t</code> in a different unit from the one that the service uses. Only the holder of the secret can sign such a delivery, so nobody else can use this.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/3.5.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _3_5 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _3_5 as default
};
